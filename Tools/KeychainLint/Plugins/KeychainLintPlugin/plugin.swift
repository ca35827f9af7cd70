import PackagePlugin
@main struct KeychainLintPlugin: CommandPlugin { func performCommand(context: PluginContext, arguments: [String]) async throws {} }
