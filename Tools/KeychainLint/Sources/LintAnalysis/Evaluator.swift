import SwiftSyntax

/// An evaluation of the dictionaries in the code of one file.
///
/// It runs every function once, in order, with the values that are known at each statement. If two
/// paths meet, it keeps the common values. All code that it does not understand makes values
/// unknown.
final class Evaluator {
    let file: ParsedFile
    let index: ConstantIndex
    private(set) var uses: [QueryUse] = []
    private(set) var calls: [SecurityCall] = []
    private(set) var accessControls: [(control: AccessControl, function: FunctionInfo)] = []
    /// Offsets of literals that reached a call, or left the function.
    var consumed: Set<Int> = []
    /// Dictionaries of local variables in their last state, by the offset of the literal.
    var fragments: [Int: (value: QueryDictionary, function: FunctionInfo)] = [:]
    /// Flags that are written into a variable of their type.
    var flagSets: [(flags: [String], node: Syntax)] = []
    private var lastRevision = 0
    /// The number of calls that can still be followed, which limits the work for one file.
    private var budget = 4_000
    var evaluatingConstants: Set<String> = []
    /// The known values of constants, so that each is evaluated once.
    var knownConstants: [String: Value] = [:]
    /// The constants of the file, by name.
    lazy var constants = Dictionary(grouping: file.constants, by: \.name)
    /// The computed properties of the file by their names, without their types.
    lazy var getters = Dictionary(grouping: file.functions.filter(\.isProperty), by: \.name)
    /// How many steps the work for one function may still take.
    var steps = Evaluator.mostSteps
    /// Functions that exceeded their steps, and whose further values are unknown.
    private(set) var unfinished: [FunctionInfo] = []

    static let mostSteps = 100_000

    init(_ file: ParsedFile, _ index: ConstantIndex) {
        self.file = file
        self.index = index
    }

    /// The known values at one point of a function.
    struct Frame {
        var values: [String: Value] = [:]
        /// The number of changes of each variable.
        var versions: [String: Int] = [:]
        let function: FunctionInfo
        /// The depth of calls of functions in this file.
        var depth = 0
        var returned: [Value] = []
        var typeName: String? { function.typeName }
        /// The size of the values, for comparisons when paths meet.
        var weight: Int { values.values.reduce(0) { $0 + 1 + ($1.dictionary?.count ?? 0) } / 4 }
    }

    func run() {
        for function in file.functions {
            var frame = Frame(function: function)
            for parameter in function.parameters { frame.values[parameter.name] = .unknown }
            for (name, value) in defaultFlags(of: function, frame) { frame.values[name] = value }
            steps = Self.mostSteps
            execute(function.body, &frame)
            if isSpent { unfinished.append(function) }
        }
        addFragments()
    }

    /// Whether the steps for this function are used up.
    var isSpent: Bool { steps <= 0 }

    /// Counts steps.
    ///
    /// - Returns: Whether any steps are left.
    @discardableResult
    func step(_ count: Int = 1) -> Bool {
        steps -= count
        return !isSpent
    }

    func nextRevision() -> Int {
        lastRevision += 1
        return lastRevision
    }

    func spend() -> Bool {
        budget -= 1
        return budget > 0 && step()
    }

    // MARK: Statements

    /// Runs statements.
    ///
    /// - Returns: Whether control leaves the block at its end.
    @discardableResult
    func execute(_ statements: CodeBlockItemListSyntax, _ frame: inout Frame) -> Bool {
        for statement in statements {
            // Without steps, it still visits the calls, with unknown values.
            if !step(), frame.depth > 0 { return true }
            if execute(statement.item, &frame) { return true }
        }
        return false
    }

    private func execute(_ item: CodeBlockItemSyntax.Item, _ frame: inout Frame) -> Bool {
        switch item {
        case .decl(let declaration): execute(declaration, &frame)
        case .stmt(let statement): return execute(statement, &frame)
        case .expr(let expression): return execute(expression, &frame)
        default: break
        }
        return false
    }

    private func execute(_ declaration: DeclSyntax, _ frame: inout Frame) {
        if let variable = declaration.as(VariableDeclSyntax.self) {
            for binding in variable.bindings { bind(binding, &frame) }
        } else if let condition = declaration.as(IfConfigDeclSyntax.self) {
            let before = frame
            var ends: [Frame] = [before]
            for clause in condition.clauses {
                guard case .statements(let list) = clause.elements else { continue }
                var branch = before
                if !execute(list, &branch) { ends.append(branch) }
            }
            frame = join(ends, into: before)
        }
    }

    private func bind(_ binding: PatternBindingSyntax, _ frame: inout Frame) {
        let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
        guard let initial = binding.initializer?.value else {
            if let name { frame.values[name] = .unknown }
            return
        }
        scan(initial, &frame)
        var value = evaluate(initial, frame)
        if let type = binding.typeAnnotation?.type.trimmedDescription {
            if type == "SecAccessControlCreateFlags", initial.trimmedDescription == ".init()" {
                value = .array([])
            }
            if type.contains("NSMutableDictionary"), case .dictionary(var dictionary) = value {
                dictionary.isReference = true
                value = .dictionary(dictionary)
            }
            // A variable may be changed by an operator before it is used.
            let isConstant =
                binding.parent?.parent?.as(VariableDeclSyntax.self)?.bindingSpecifier.text == "let"
            if isConstant, type.contains("SecAccessControlCreateFlags"),
                let flags = flagNames(value)
            {
                flagSets.append((flags, Syntax(initial)))
            }
        }
        guard let name else { return }
        frame.values[name] = value
        frame.versions[name, default: 0] += 1
        if let dictionary = value.dictionary, frame.depth == 0 {
            fragments[dictionary.literal.start] = (dictionary, frame.function)
        }
    }

    /// Binds the values that `if let` and `guard let` unwrap.
    private func bind(_ conditions: ConditionElementListSyntax, _ frame: inout Frame) {
        for condition in conditions {
            guard case .optionalBinding(let binding) = condition.condition else { continue }
            let name = binding.pattern.trimmedDescription
            if let value = binding.initializer?.value {
                frame.values[name] = evaluate(value, frame)
            }
        }
    }

    private func execute(_ statement: StmtSyntax, _ frame: inout Frame) -> Bool {
        if let node = statement.as(ReturnStmtSyntax.self) {
            if let expression = node.expression {
                // The caller unwraps the result, so nil is not one of its values.
                if frame.depth > 0, expression.is(NilLiteralExprSyntax.self) { return true }
                scan(expression, &frame)
                let value = evaluate(expression, frame)
                frame.returned.append(value)
                consume(value)
            }
            return true
        }
        if let node = statement.as(GuardStmtSyntax.self) {
            scan(node.conditions, &frame)
            var branch = frame
            execute(node.body.statements, &branch)
            frame.returned = branch.returned
            bind(node.conditions, &frame)
            return false
        }
        if let node = statement.as(ThrowStmtSyntax.self) {
            scan(node.expression, &frame)
            return true
        }
        if let node = statement.as(ExpressionStmtSyntax.self) {
            return execute(node.expression, &frame)
        }
        if let node = statement.as(ForStmtSyntax.self) {
            scan(node.sequence, &frame)
            let name = node.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
            loop(node.body, &frame, binding: name, of: evaluate(node.sequence, frame))
        } else if let node = statement.as(WhileStmtSyntax.self) {
            scan(node.conditions, &frame)
            loop(node.body, &frame)
        } else if let node = statement.as(RepeatStmtSyntax.self) {
            execute(node.body.statements, &frame)
            scan(node.condition, &frame)
        } else if let node = statement.as(DoStmtSyntax.self) {
            return execute(node, &frame)
        } else if let node = statement.as(DeferStmtSyntax.self) {
            var branch = frame
            execute(node.body.statements, &branch)
        } else {
            return statement.is(BreakStmtSyntax.self) || statement.is(ContinueStmtSyntax.self)
        }
        return false
    }

    private func execute(_ node: DoStmtSyntax, _ frame: inout Frame) -> Bool {
        let before = frame
        let leaves = execute(node.body.statements, &frame)
        var ends = leaves ? [] : [frame]
        for clause in node.catchClauses {
            var branch = join([before, frame], into: before)
            if !execute(clause.body.statements, &branch) { ends.append(branch) }
        }
        guard !ends.isEmpty else { return true }
        frame = join(ends, into: before)
        return false
    }

    private func loop(
        _ body: CodeBlockSyntax,
        _ frame: inout Frame,
        binding name: String? = nil,
        of sequence: Value = .unknown
    ) {
        var branch = frame
        // A loop over a few flags collects them all.
        let flags = Self.flags(sequence)
        for value in flags ?? [Self.element(of: sequence)] {
            if let name { branch.values[name] = value }
            execute(body.statements, &branch)
        }
        frame = flags == nil ? join([frame, branch], into: frame) : branch
    }

    /// Returns the members of a short list of only members.
    private static func flags(_ sequence: Value) -> [Value]? {
        guard case .array(let values) = sequence, (2...8).contains(values.count) else { return nil }
        let areMembers = values.allSatisfy { value in
            guard case .member(let name) = value else { return false }
            return AccessControl.constraintNames.contains(KeychainNames.flags[name] ?? name)
        }
        return areMembers ? values : nil
    }

    /// Returns one of the values of a sequence.
    private static func element(of sequence: Value) -> Value {
        guard case .array(let values) = sequence, let first = values.first else { return .unknown }
        return values.count == 1 ? first : .anyOf(values)
    }

    /// Returns the first parameter of a closure, for `values.forEach { … }`.
    func element(for closure: ClosureExprSyntax, _ frame: Frame) -> Value {
        guard let call = closure.parent?.as(FunctionCallExprSyntax.self),
            let member = call.calledExpression.as(MemberAccessExprSyntax.self),
            ["forEach", "map"].contains(member.declName.baseName.text), let base = member.base
        else { return .unknown }
        return Self.element(of: evaluate(base, frame))
    }

    private func execute(_ expression: ExprSyntax, _ frame: inout Frame) -> Bool {
        if let node = expression.as(IfExprSyntax.self) { return branch(node, &frame) }
        if let node = expression.as(SwitchExprSyntax.self) { return branch(node, &frame) }
        scan(expression, &frame)
        if assign(expression, &frame) { return false }
        mutate(expression, &frame)
        let call = expression.as(FunctionCallExprSyntax.self).flatMap(CallInfo.init)
        return call.map { ["fatalError", "preconditionFailure"].contains($0.name) } ?? false
    }

    private func branch(_ node: IfExprSyntax, _ frame: inout Frame) -> Bool {
        scan(node.conditions, &frame)
        var ends: [Frame] = []
        var first = frame
        bind(node.conditions, &first)
        let before = frame
        if !execute(node.body.statements, &first) { ends.append(first) }
        frame.returned = first.returned
        var other = before
        other.returned = first.returned
        switch node.elseBody {
        case .codeBlock(let block)?:
            if !execute(block.statements, &other) { ends.append(other) }
        case .ifExpr(let next)?:
            if !branch(next, &other) { ends.append(other) }
        default: ends.append(other)
        }
        frame.returned = other.returned
        guard !ends.isEmpty else { return true }
        frame = join(ends, into: frame)
        return false
    }

    private func branch(_ node: SwitchExprSyntax, _ frame: inout Frame) -> Bool {
        scan(node.subject, &frame)
        let before = frame
        var ends: [Frame] = []
        var returned = frame.returned
        for item in node.cases {
            guard case .switchCase(let block) = item else { continue }
            var branch = before
            branch.returned = returned
            if !execute(block.statements, &branch) { ends.append(branch) }
            returned = branch.returned
        }
        frame.returned = returned
        guard !ends.isEmpty else { return true }
        frame = join(ends, into: frame)
        return false
    }

    /// Returns the known values after several paths have met.
    private func join(_ ends: [Frame], into before: Frame) -> Frame {
        guard var joined = ends.first else { return before }
        joined.returned = ends.map(\.returned).max { $0.count < $1.count } ?? []
        guard step(ends.reduce(0) { $0 + $1.weight }) else {
            joined.values = joined.values.mapValues { _ in .unknown }
            return joined
        }
        for end in ends.dropFirst() {
            for (name, value) in joined.values {
                guard let other = end.values[name] else {
                    joined.values[name] = nil
                    continue
                }
                joined.values[name] = value.joined(with: other)
            }
            joined.versions.merge(end.versions) { max($0, $1) }
        }
        return joined
    }

    // MARK: Records

    func record(_ use: QueryUse) {
        uses.append(use)
        consumed.formUnion(use.dictionary.origins)
    }

    func record(_ call: SecurityCall) { calls.append(call) }

    func record(_ control: AccessControl, in function: FunctionInfo) {
        let known = accessControls.firstIndex { $0.control.offset == control.offset }
        guard let known else { return accessControls.append((control, function)) }
        // A call of the function has more information than its parameters.
        guard accessControls[known].control.flags == nil, control.flags != nil else { return }
        accessControls[known] = (control, function)
    }

    func consume(_ value: Value) {
        if let dictionary = value.dictionary { consumed.formUnion(dictionary.origins) }
        if case .array(let values) = value { for element in values { consume(element) } }
    }

    /// Adds dictionaries of variables that no call in view receives, classified by their content.
    private func addFragments() {
        for (_, fragment) in fragments.sorted(by: { $0.key < $1.key }) {
            let dictionary = fragment.value
            guard consumed.isDisjoint(with: dictionary.origins),
                dictionary.certain("kSecClass") != nil
            else { continue }
            let isSearch = KeychainNames.returnKeys.contains { dictionary[$0] != nil }
            let isAdd = dictionary.certain("kSecValueData") != nil
            guard isSearch != isAdd else { continue }
            uses.append(
                QueryUse(
                    role: isAdd ? .addLike : .searchLike,
                    dictionary: dictionary,
                    call: nil,
                    function: fragment.function,
                    isInlined: false
                )
            )
        }
    }
}
