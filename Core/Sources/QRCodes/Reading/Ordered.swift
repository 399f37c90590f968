extension Array {
    /// Puts an element behind those that do not follow it, and drops what is then beyond the first `most`.
    ///
    /// Lists here are short. The standard sort and insertion would be a sixth of the scanner's WebAssembly.
    mutating func insert(_ element: Element, most: Int = .max, follows: (Element, Element) -> Bool) {
        if count == most {
            guard let last, follows(last, element) else { return }
            self[count - 1] = element
        } else {
            append(element)
        }
        var index = count - 1
        while index > 0, follows(self[index - 1], element) {
            swapAt(index - 1, index)
            index -= 1
        }
    }
}
