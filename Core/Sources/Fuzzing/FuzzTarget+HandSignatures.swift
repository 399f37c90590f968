import Encodings
import HandSignatures
import SignatureBrowser

extension FuzzTarget {
    static let handSignatures = [
        FuzzTarget("capture-json", maximumLength: 4096, captureJSON),
        FuzzTarget("capture-record", maximumLength: 4096, captureRecord),
        FuzzTarget("capture-xml", maximumLength: 8192, captureXML),
        FuzzTarget("biometrix-csv", maximumLength: 4096, biometrixCSV),
        FuzzTarget("research-csv", maximumLength: 4096, researchCSV),
        FuzzTarget("signature-model", maximumLength: 8192, signatureModel),
        FuzzTarget("signature-template", maximumLength: 8192, signatureTemplate),
        FuzzTarget("signature-rates", maximumLength: 4096, signatureRates),
        FuzzTarget("written-text", maximumLength: 8192, writtenText),
        FuzzTarget("signature-module", maximumLength: 12_288, signatureModule),
    ]

    private static let date = Bytes(text: "2026-11-22T02:30:00Z")

    private static func captureJSON(_ input: Bytes) throws(BrokenPromise) {
        guard let capture = try? CaptureJSON.read(input) else { return }
        let written = CaptureJSON.write(capture)
        try expect((try? JSON.parse(written).canonical()) == written, "what is written is canonical")
        try check(capture)
    }

    private static func signatureRates(_ input: Bytes) throws(BrokenPromise) {
        guard let rates = RatesFile(input) else { return }
        try expect(RatesFile(rates.file()) == rates, "what is written is read")
        let errors = rates.rates(at: 0)
        for rate in [errors.genuineRefused, errors.forgedAccepted, errors.othersAccepted] {
            try expect((0...1).contains(rate), "a rate is a share")
        }
        try expect(!rates.plot(threshold: 0).isEmpty, "there is a picture")
    }

    /// However a text and what is filled in are made, the page has no markup but ours.
    private static func writtenText(_ input: Bytes) throws(BrokenPromise) {
        guard let text = try? WrittenText(input) else { return }
        let logo = WrittenText.Logo(.svg, input)
        let page = text.page(title: input, logo: logo) { _ in input }
        try expect(text.page(title: input, logo: logo) { _ in input } == page, "the same bytes every time")
        // No text makes an element called x.
        if let placed = WrittenText.body(placing: Bytes(text: "<x>"), in: page) {
            let count = placed.indices.count { placed[$0...].starts(with: Bytes(text: "<x>")) }
            try expect(text.layout != nil && count == 1, "one signature, at the place for it")
        }
        let names = [
            "!doctype", "html", "meta", "title", "style", "h1", "h2", "h3", "p", "ul", "ol", "li", "table", "tr", "th",
            "td", "b", "i", "br", "hr", "header", "img", "span",
        ]
        for (place, byte) in page.enumerated() where byte == 0x3C {
            var name: Bytes = []
            for letter in page[(place + 1)...] {
                guard letter != 0x20, letter != 0x3E else { break }
                if letter != 0x2F { name.append(letter) }
                guard name.count < 12 else { break }
            }
            try expect(names.contains { name == Bytes(text: $0) }, "an element of ours")
        }
    }

    private static func captureRecord(_ input: Bytes) throws(BrokenPromise) {
        guard let capture = try? TimeSeriesRecord.read(input, tool: .pen) else { return }
        try check(capture)
    }

    private static func captureXML(_ input: Bytes) throws(BrokenPromise) {
        guard let capture = try? TimeSeriesXML.read(input, tool: .touch) else { return }
        try check(capture)
    }

    private static func biometrixCSV(_ input: Bytes) throws(BrokenPromise) {
        for angles in [BiometrixCSV.AngleUnit.radians, .degrees] {
            guard let capture = try? BiometrixCSV.read(input, tool: .pen, angles: angles) else { continue }
            try expect(capture.samples.allSatisfy { !$0.isPenUp }, "no lift is made up")
            try check(capture)
        }
    }

    private static func researchCSV(_ input: Bytes) throws(BrokenPromise) {
        guard let signatures = try? ResearchCSV.read(input) else { return }
        for signature in signatures {
            try expect(signature.capture.samples.count >= Capture.fewestSamples, "a signature has its samples")
            _ = try? PreparedSignature(signature.capture, .pen(clockStep: 10_000))
        }
    }

    /// The promises of every capture that a reader accepts: each form gives back what was written, and it can be
    /// compared.
    private static func check(_ capture: Capture) throws(BrokenPromise) {
        try expect((try? CaptureJSON.read(CaptureJSON.write(capture))) == capture, "what is written as JSON is read")
        if let record = try? TimeSeriesRecord.write(capture) {
            try expect(
                (try? TimeSeriesRecord.read(record, tool: capture.tool)) == capture, "what is written in bytes is read")
            // Both hold the same channels.
            guard let text = try? TimeSeriesXML.write(capture, date: date) else {
                throw BrokenPromise(promise: "what a record holds, XML holds")
            }
            try expect(
                (try? TimeSeriesXML.read(text, tool: capture.tool)) == capture, "what is written as XML is read")
        }
        guard let prepared = try? PreparedSignature(capture, .pen()) else {
            throw BrokenPromise(promise: "what a reader accepts can be compared")
        }
        try expect(prepared.count >= 16, "a signature is drawn out to its fewest points")
    }

    private static func signatureModel(_ input: Bytes) throws(BrokenPromise) {
        guard let model = try? SignatureModel(file: input) else { return }
        try expect((try? SignatureModel(file: model.file())) == model, "what is written of a model is read")
        // For any numbers, a model answers with a number.
        try expect(model.score(of: [Double](repeating: 1, count: 85)).isFinite, "a score is finite")
    }

    private static func signatureTemplate(_ input: Bytes) throws(BrokenPromise) {
        guard var template = try? SignatureTemplate(file: input) else { return }
        try expect((try? SignatureTemplate(file: template.file())) == template, "what is written of a template is read")
        let first = template.references[0].capture
        let isKnown = try? template.remember(first)
        try expect(isKnown == false || (try? template.remember(first)) == true, "nothing is taken twice")
    }

    /// A call of a page, as it travels through the memory of the module for hand signatures.
    private static func signatureModule(_ input: Bytes) throws(BrokenPromise) {
        try checkAnswer(SignatureBrowser.answer(input))
    }
}
