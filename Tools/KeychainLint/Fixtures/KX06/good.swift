func shuffledCard() -> Int { Int(arc4random_uniform(52)) }
