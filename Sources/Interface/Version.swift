/// Which Countersign this is, as pages and `countersign --version` say it.
public enum CountersignVersion {
    public static let text = "0.3.0"
}
