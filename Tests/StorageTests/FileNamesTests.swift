import Glibc
import Testing

@testable import Storage

/// Records of directories, which are as long as their names.
@Suite("Names in a directory")
struct FileNamesTests {
    @Test("nothing behind a record is read: memory may end there")
    func lastRecord() throws {
        let page = sysconf(Int32(_SC_PAGESIZE))
        let mapped = unsafe mmap(nil, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory = unsafe mapped, unsafe memory != MAP_FAILED else { throw StorageError.system(errno, "mmap") }
        defer { unsafe munmap(memory, 2 * page) }
        // To touch the second page ends the program.
        guard unsafe mprotect(memory + page, page, PROT_NONE) == 0 else {
            throw StorageError.system(errno, "mprotect")
        }
        let name = Array("a.blob".utf8) + [0]
        let place = try #require(MemoryLayout<dirent>.offset(of: \.d_name))
        let length = (place + name.count + 7) / 8 * 8
        let record = unsafe memory + page - length
        for (index, byte) in name.enumerated() {
            unsafe record.storeBytes(of: byte, toByteOffset: place + index, as: UInt8.self)
        }
        #expect(unsafe FileNames.name(of: record.assumingMemoryBound(to: dirent.self)) == "a.blob")
    }
}
