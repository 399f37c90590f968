import PageMemory

#if arch(wasm32)
    private let exportBrowser = ExportBrowser()

    /// Answers the call at `pointer`; see `answerInMemory`.
    @_expose(wasm, "call")
    @_cdecl("call")
    public func call(_ pointer: UnsafeMutableRawPointer, _ size: Int32) -> UnsafeMutableRawPointer {
        unsafe answerInMemory(pointer, size) { exportBrowser.answer($0) }
    }
#endif
