/// What an archive may have at most, in bytes.
public enum ArchiveLimits {
    /// One part of a path: what file systems take.
    public static let name = 255
    /// A whole path.
    public static let path = 4_096
    /// The parts of a path.
    public static let depth = 64
    /// The content of a file: 8 EiB, as much as a number of 63 bits says.
    public static let content = Int64.max
    /// Seconds since 1970 that a time may be away from it, to both sides: 3,168 years.
    public static let time: Int64 = 100_000_000_000

    /// The records of an extended header.
    static let extendedHeader = 65_536
    static let block = 512
}
