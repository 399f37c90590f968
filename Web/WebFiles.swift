import Foundation

/// Where the templates, modules and styles of the pages are: beside the program, as the build put them there.
public enum WebFiles {
    /// The folder that holds a folder for each capability, as `Web/` does.
    public static var folder: String { Bundle.module.resourcePath ?? Bundle.module.bundlePath }
}
