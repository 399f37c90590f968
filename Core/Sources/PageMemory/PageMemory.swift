// How a page and a module hand each other bytes, in the module's linear memory. On other processors there is no such page.
#if arch(wasm32)
    package import Encodings

    /// Room for what is asked, which the page fills.
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

    /// Answers what is asked at `pointer`, and releases it.
    ///
    /// - Returns: a block that begins with its own length, four bytes, behind which the answer stands; the page releases it.
    package func answerInMemory(
        _ pointer: UnsafeMutableRawPointer, _ size: Int32, _ answer: (Bytes) -> Bytes
    ) -> UnsafeMutableRawPointer {
        let input = unsafe Bytes(UnsafeRawBufferPointer(start: pointer, count: Int(size)))
        unsafe pointer.deallocate()
        let output = answer(input)
        let block = UnsafeMutableRawPointer.allocate(byteCount: output.count + 4, alignment: 16)
        unsafe block.storeBytes(of: UInt32(output.count + 4).littleEndian, as: UInt32.self)
        unsafe (block + 4).copyMemory(from: output, byteCount: output.count)
        return unsafe block
    }
#endif
