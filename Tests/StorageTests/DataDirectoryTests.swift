import Foundation
import Testing

@testable import Storage

@Suite("Data directory") struct DataDirectoryTests {
    @Test func `it is made for this user only and holds the process`() async throws {
        try await withDirectory { directory in
            let path = "\(directory)/a/b"
            let data = try DataDirectory.open(path)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o700)
            let text = try #require(try DurableFile.read(data.file("lock")))
            #expect(String(decoding: text, as: UTF8.self) == "\(getpid())\n")
        }
    }

    @Test func `a second one is refused until the first is gone`() async throws {
        try await withDirectory { directory in
            do {
                let data = try DataDirectory.open(directory)
                #expect(throws: StorageError.inUse(path: directory, process: getpid())) {
                    try DataDirectory.open(directory)
                }
                #expect(try run("/usr/bin/flock", ["-n", data.file("lock"), "true"]).status == 1)
            }
            let data = try DataDirectory.open(directory)
            #expect(data.path == directory)
        }
    }

    @Test func `another process is named, with advice`() async throws {
        try await withDirectory { directory in
            let child = Process()
            child.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
            child.arguments = ["\(directory)/lock", "sh", "-c", "echo 4242 > \(directory)/lock; echo ready; read end"]
            let (input, output) = (Pipe(), Pipe())
            child.standardInput = input
            child.standardOutput = output
            try child.run()
            _ = output.fileHandleForReading.availableData
            let error = #expect(throws: StorageError.inUse(path: directory, process: 4242)) {
                try DataDirectory.open(directory)
            }
            #expect(error?.description.contains("process 4242; stop that process") == true)
            try input.fileHandleForWriting.close()
            child.waitUntilExit()
            _ = try DataDirectory.open(directory)
        }
    }

    @Test func `a path that is a file is refused`() async throws {
        try await withDirectory { directory in
            try DurableFile.write("\(directory)/file", [])
            for path in ["\(directory)/file", "\(directory)/file/below"] {
                #expect(throws: StorageError.self) { try DataDirectory.open(path) }
            }
        }
    }
}
