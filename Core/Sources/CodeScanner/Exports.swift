#if arch(wasm32)
    import Encodings

    /// Room for a frame, which the page fills.
    @_expose(wasm, "allocate")
    @_cdecl("allocate")
    public func allocate(_ size: Int32) -> UnsafeMutableRawPointer {
        UnsafeMutableRawPointer.allocate(byteCount: Int(size), alignment: 16)
    }

    /// Gives back what `allocate` or `call` gave.
    @_expose(wasm, "release")
    @_cdecl("release")
    public func release(_ pointer: UnsafeMutableRawPointer, _ size: Int32) {
        unsafe pointer.deallocate()
    }

    /// Reads the frame at `pointer` and releases it.
    ///
    /// - Returns: a block that begins with its own length, four bytes, behind which the answer stands; the page releases it.
    @_expose(wasm, "call")
    @_cdecl("call")
    public func call(_ pointer: UnsafeMutableRawPointer, _ size: Int32) -> UnsafeMutableRawPointer {
        let frame = unsafe Bytes(UnsafeRawBufferPointer(start: pointer, count: Int(size)))
        unsafe pointer.deallocate()
        let output = CodeScanner.answer(frame)
        let block = UnsafeMutableRawPointer.allocate(byteCount: output.count + 4, alignment: 16)
        unsafe block.storeBytes(of: UInt32(output.count + 4).littleEndian, as: UInt32.self)
        unsafe (block + 4).copyMemory(from: output, byteCount: output.count)
        return unsafe block
    }
#endif
