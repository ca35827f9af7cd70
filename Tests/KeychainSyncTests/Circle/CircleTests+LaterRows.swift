@testable import KeychainSync

extension CircleTests {
    private typealias Script = CircleScript

    /// What whoever has the keys of a removed device says later, as if it had been before.
    static let laterRows = [
        Row(
            testDescription: "keeps those whom the remover of such a one added before",
            statements: {
                [
                    try Script.add(1, 1, by: 0, 1), try Script.add(2, 2, by: 0, 2),
                    try Script.remove(3, 0, count: 0, counted: [], by: 1, 3),
                    try Script.remove(4, 1, count: 9, counted: [], by: 0, 4),
                ]
            },
            members: [0, 2]
        ),
        Row(
            testDescription: "keeps those out whom the remover of such a one removed before",
            statements: {
                let add = try Script.add(2, 2, by: 0, 1)
                return [
                    try Script.add(1, 1, by: 0, 1), add,
                    try Script.remove(3, 2, count: 9, counted: [], by: 0, 2),
                    try Script.remove(4, 0, count: 0, counted: [add.digest], by: 1, 3),
                    try Script.remove(5, 1, count: 9, counted: [], by: 0, 4),
                ]
            },
            members: [0]
        ),
        Row(
            testDescription: "keeps what others said of whom a removed one says that it removed",
            statements: {
                [
                    try Script.add(1, 1, by: 0, 1), try Script.add(2, 2, by: 0, 1),
                    try Script.add(3, 3, by: 2, 2),
                    try Script.remove(4, 2, count: 0, counted: [], by: 1, 3),
                    try Script.remove(5, 1, count: 9, counted: [], by: 0, 4),
                ]
            },
            members: [0, 2, 3]
        ),
        Row(
            testDescription: "loses one that removes itself before, and keeps another for that",
            statements: {
                let add = try Script.add(2, 2, by: 1, 2)
                return [
                    try Script.add(1, 1, by: 0, 1), add,
                    try Script.remove(3, 1, count: 9, counted: [add.digest], by: 1, 3),
                    try Script.remove(4, 1, count: 9, counted: [], by: 0, 4),
                ]
            },
            members: [0]
        ),
        Row(
            testDescription: "loses one that lets another remove it before",
            statements: {
                [
                    try Script.add(1, 1, by: 0, 1), try Script.add(2, 2, by: 1, 2),
                    try Script.remove(3, 1, count: 9, counted: [], by: 2, 3),
                    try Script.remove(4, 1, count: 9, counted: [], by: 0, 4),
                ]
            },
            members: [0]
        ),
        Row(
            testDescription: "keeps whom one added that says later that it left before",
            statements: {
                let add = try Script.add(3, 2, by: 1, 3)
                return [
                    try Script.add(1, 1, by: 0, 1), add,
                    try Script.remove(2, 1, count: 9, counted: [], by: 1, 2),
                    try Script.remove(4, 1, count: 9, counted: [add.digest], by: 0, 4),
                ]
            },
            members: [0, 2]
        ),
        Row(
            testDescription: "loses one that lets a recovery key of its own remove it before",
            statements: {
                let recover = try Script.recover(2, 101, by: 1, 2)
                return [
                    try Script.add(1, 1, by: 0, 1), recover, try Script.add(3, 2, by: 101, 3),
                    try Script.remove(
                        4,
                        1,
                        count: 9,
                        counted: [recover.digest],
                        by: 101,
                        3
                    ),
                    try Script.remove(5, 1, count: 9, counted: [], by: 0, 4),
                ]
            },
            members: [0]
        ),
        Row(
            testDescription: "loses one that lets a recovery key of its own remove its remover",
            statements: {
                [
                    try Script.add(1, 1, by: 0, 1), try Script.recover(2, 101, by: 1, 2),
                    try Script.remove(3, 0, count: 0, counted: [], by: 101, 3),
                    try Script.remove(4, 1, count: 9, counted: [], by: 0, 4),
                ]
            },
            members: [0]
        ),
    ]
}
