import PageMemory

#if arch(wasm32)
    /// Reads the frame at `pointer`; see `answerInMemory`.
    @_expose(wasm, "call")
    @_cdecl("call")
    public func call(_ pointer: UnsafeMutableRawPointer, _ size: Int32) -> UnsafeMutableRawPointer {
        unsafe answerInMemory(pointer, size) { CodeScanner.answer($0) }
    }
#endif
