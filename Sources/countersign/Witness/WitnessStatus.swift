import ArgumentParser
import Encodings
import Foundation
import Server
import Storage

/// `countersign witness status`.
struct WitnessStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show what a witness has signed, and which logs it caught.",
        discussion: """
            Reads the witness's directory, also while it runs. A log that signed two trees of one size has shown two \
            histories: --keep writes both signed notes, which prove it to anybody. Exit code 1 if there is such a log.

              countersign witness status --data ./witness --keep ./proofs
            """)

    @Option(help: "The witness's directory.") var data = "./witness"
    @Option(help: "Write the proofs against logs into this folder.", completion: .directory) var keep: String?
    @OptionGroup var output: OutputOptions

    func run() async throws {
        guard FileManager.default.fileExists(atPath: "\(data)/witness.sqlite") else {
            throw CommandError("there is no witness in \(data)")
        }
        let memory: WitnessServer.Memory
        do {
            memory = try await WitnessServer.memory(in: data)
        } catch let error as StorageError {
            throw CommandError("the witness's memory cannot be read: \(error)")
        }
        if let keep { try write(memory, to: keep) }
        if output.json {
            Output.print(json(memory))
        } else {
            show(memory)
        }
        guard memory.contradictions.isEmpty else { throw ExitCode(1) }
    }

    private func write(_ memory: WitnessServer.Memory, to folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (number, proof) in memory.contradictions.enumerated() {
            try Files.write(Bytes(text: proof.kept), to: "\(folder)/\(number + 1)-kept.txt", force: true)
            try Files.write(Bytes(text: proof.shown), to: "\(folder)/\(number + 1)-shown.txt", force: true)
        }
    }

    private func show(_ memory: WitnessServer.Memory) {
        guard !memory.cosigned.isEmpty || !memory.contradictions.isEmpty else {
            return Output.line("Nothing signed yet. A log asks for it when its policy names this witness's address.")
        }
        Output.table(
            ["LOG", "ENTRIES", "SIGNED"],
            memory.cosigned.map { [Bytes(text: $0.origin).shown, String($0.size), Output.time($0.time)] })
        for proof in memory.contradictions {
            Output.line(
                Terminal.styled(
                    "\(Bytes(text: proof.origin).shown) has signed two histories (seen \(Output.time(proof.time)))",
                    .bad))
        }
    }

    private func json(_ memory: WitnessServer.Memory) -> JSON {
        .members([
            (
                "contradictions",
                .array(
                    memory.contradictions.map {
                        .members([
                            ("kept", .text($0.kept)), ("origin", .text($0.origin)), ("shown", .text($0.shown)),
                            ("time", .integer($0.time)),
                        ])
                    })
            ),
            (
                "logs",
                .array(
                    memory.cosigned.map {
                        .members([
                            ("origin", .text($0.origin)), ("size", .integer($0.size)), ("time", .integer($0.time)),
                        ])
                    })
            ),
        ])
    }
}
