package import Encodings
import Pico

/// Where the two sides of a run meet: messages go to the other side whole, one at a time.
///
/// Nothing that comes out of it is believed (Pico protocol, section 13, number 11).
package protocol PicoChannel: Sendable {
    /// Hands a message to the other side, and waits until it was taken.
    ///
    /// - Parameter deadline: a time of the channel's clock.
    func send(_ message: Bytes, before deadline: Int64) async throws(PicoRunError)

    /// Waits for the other side's next message.
    func receive(before deadline: Int64) async throws(PicoRunError) -> Bytes

    /// Ends the wait of the other side, as far as that can be done quickly; works in a cancelled task too.
    func close() async
}

extension PicoChannel {
    /// Does the work of a run, and closes the channel if it fails.
    ///
    /// Not if the channel is somebody else's: closing it would end their run.
    func closingOnFailure<Value>(
        _ work: () async throws(PicoRunError) -> Value
    ) async throws(PicoRunError) -> Value {
        do throws(PicoRunError) {
            return try await work()
        } catch {
            if error != .channelTaken { await close() }
            throw error
        }
    }
}

/// Runs a step of the protocol's rules.
func picoStep<Value>(_ step: () throws(PicoError) -> Value) throws(PicoRunError) -> Value {
    do throws(PicoError) { return try step() } catch { throw .refused(error) }
}
