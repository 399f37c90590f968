import Foundation

/// Where the templates, modules and styles of the pages are.
public enum WebFiles {
    /// The folder that holds a folder for each capability, as `Web/` does.
    ///
    /// A program that is built for use looks only near itself: a path of the machine that built it could be anybody's
    /// folder on the machine that runs it. If nothing is found, this is the folder where an installation keeps the pages.
    public static var folder: String {
        let program = Bundle.main.executableURL?.resolvingSymlinksInPath() ?? Bundle.main.bundleURL
        let candidates = folders(ofProgram: program.path)
        if let found = candidates.first(where: FileManager.default.fileExists(atPath:)) { return found }
        #if DEBUG
            return Bundle.module.resourcePath ?? Bundle.module.bundlePath  // tests run inside another program
        #else
            return candidates.last ?? program.path
        #endif
    }

    /// The folders where the pages of a program may be, in the order in which they are tried.
    ///
    /// - Parameter program: the path of the program's file.
    /// - Returns: what the build puts beside the program; then `share/countersign/web`, next to the folder `bin` of an
    ///   installation.
    public static func folders(ofProgram program: String) -> [String] {
        let bin = URL(fileURLWithPath: program).deletingLastPathComponent()
        return [
            bin.appendingPathComponent("countersign_Web.resources").path,
            bin.deletingLastPathComponent().appendingPathComponent("share/countersign/web").path,
        ]
    }
}
