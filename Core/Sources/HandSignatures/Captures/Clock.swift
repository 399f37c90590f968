extension Capture {
    /// The samples' times, from 0 on, in microseconds, each later than the one before.
    ///
    /// Sensors repeat times and even go back. A step that does not go forward becomes `step`.
    ///
    /// - Parameter step: in microseconds; for a product 1,000, for the research files what their protocol says.
    /// - Throws: `tooShort`, `tooLong`; `brokenClock` when half of the steps had to be replaced.
    func repairedTimes(step: Int64) throws(CaptureError) -> [Int64] {
        var times: [Int64] = [0]
        times.reserveCapacity(samples.count)
        var now: Int64 = 0
        var repaired = 0
        for index in samples.indices.dropFirst() {
            let taken = samples[index].time - samples[index - 1].time
            if taken <= 0 { repaired += 1 }
            now += taken > 0 ? taken : step
            times.append(now)
        }
        guard repaired * 2 < samples.count else { throw .brokenClock }
        guard now >= Self.shortest else { throw .tooShort }
        guard now <= Self.longest else { throw .tooLong }
        return times
    }

    /// Refuses a recording that is longer than any signature: what a comparison costs grows with the square of its length.
    ///
    /// Readers take longer ones, which research files and templates that exist may hold.
    ///
    /// - Throws: `tooManySamples`, `tooLong`, and what `repairedTimes` throws.
    public func checkIsAsLongAsSignatures() throws(CaptureError) {
        guard samples.count <= Self.mostSignatureSamples else { throw .tooManySamples(samples.count) }
        let times = try repairedTimes(step: 1_000)
        guard times[times.count - 1] <= Self.longestSignature else { throw .tooLong }
    }

    /// The capture, if its clock can be repaired and it is as long as signatures are.
    ///
    /// Every reader ends with this, so every accepted capture can be compared.
    ///
    /// - Throws: what `repairedTimes` throws of a product's captures, and of what was written of them; `tooFewSamples`.
    func withUsableClock() throws(CaptureError) -> Capture {
        _ = try repairedTimes(step: 1_000)
        _ = try written().repairedTimes(step: 1_000)
        return self
    }
}
