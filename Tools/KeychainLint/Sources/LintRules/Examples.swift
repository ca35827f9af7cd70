/// Examples of mistakes and of how to do without them, by the number of the rule.
public enum Examples {
    public static let bad: [String: String] = [:]
    public static let good: [String: String] = [:]
}
