internal import Foundation

/// The memory in which Argon2id computes, in large pages where the system has any.
///
/// It reads blocks of a kibibyte in an order that nobody can foresee. With pages of 4 KiB the processor has to look up where
/// nearly each of them is, and the system fills sixteen thousand for one hash: together nearly a quarter of the time.
enum Argon2Memory {
    /// A large page, in bytes.
    private static let page = 1 << 21

    /// What libargon2 calls for its memory (`allocate_cbk`).
    ///
    /// - Returns: 0; anything else, with no memory, if there is not so much.
    static func allocate(_ place: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, _ count: Int) -> Int32 {
        var memory: UnsafeMutableRawPointer?
        let status = unsafe posix_memalign(&memory, page, count)
        guard status == 0, let memory = unsafe memory else {
            unsafe place?.pointee = nil
            return status
        }
        #if os(Linux)
            // Advice: without large pages it is as it would have been.
            _ = unsafe madvise(memory, count, MADV_HUGEPAGE)
        #endif
        unsafe place?.pointee = memory.assumingMemoryBound(to: UInt8.self)
        return 0
    }

    /// What libargon2 calls when it has wiped the memory (`free_cbk`).
    static func release(_ memory: UnsafeMutablePointer<UInt8>?) { unsafe free(memory) }
}
