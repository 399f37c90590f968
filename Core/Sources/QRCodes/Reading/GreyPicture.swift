/// A picture in shades of grey, row by row from the top, one byte a pixel: 0 is black, 255 is white.
public struct GreyPicture: Sendable {
    /// The most pixels of a side.
    public static let longestSide = 16_384
    /// The most pixels of a picture.
    public static let mostPixels = 1 << 26

    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int
    let pixels: [UInt8]

    /// Takes `pixels`, `width` times `height` of them.
    ///
    /// Throws `badPicture` when the numbers do not fit each other, or exceed `longestSide` or `mostPixels`.
    public init(width: Int, height: Int, pixels: [UInt8]) throws(QRReadingError) {
        guard (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height),
            width * height <= Self.mostPixels, pixels.count == width * height
        else { throw .badPicture }
        self.init(checked: pixels, width, height)
    }

    /// Pixels that are as many as they must be.
    init(checked pixels: [UInt8], _ width: Int, _ height: Int) {
        self.pixels = pixels
        self.width = width
        self.height = height
    }

    /// The picture at half its size: each pixel is the mean of four.
    func halved() -> GreyPicture {
        let (newWidth, newHeight) = (max(1, width / 2), max(1, height / 2))
        var result = [UInt8](repeating: 0, count: newWidth * newHeight)
        let right = width > 1 ? 1 : 0
        let down = height > 1 ? width : 0
        for row in 0..<newHeight {
            var source = 2 * row * width
            for column in 0..<newWidth {
                let sum =
                    Int(pixels[source]) + Int(pixels[source + right]) + Int(pixels[source + down])
                    + Int(pixels[source + down + right])
                result[row * newWidth + column] = UInt8(truncatingIfNeeded: (sum + 2) / 4)
                source += 2
            }
        }
        return GreyPicture(checked: result, newWidth, newHeight)
    }

    /// The picture with weights 1, 2, 1 over its neighbours in both directions: less noise, the same size.
    func smoothed() -> GreyPicture {
        guard width > 2, height > 2 else { return self }
        let across = pixels.smoothed(step: 1, from: 1, to: pixels.count - 1)
        return GreyPicture(checked: across.smoothed(step: width, from: width, to: pixels.count - width), width, height)
    }

    /// The grey at a place, interpolated between four pixels; pixel 0 reaches from 0 to 1.
    ///
    /// Beyond the edge the edge goes on.
    func grey(_ place: Place) -> Float {
        let x = place.x - 0.5
        let y = place.y - 0.5
        // Written so that a place that is no number is at the edge too.
        let insideX = x > 0 ? min(x, Float(width - 1)) : 0
        let insideY = y > 0 ? min(y, Float(height - 1)) : 0
        let left = Int(insideX)
        let top = Int(insideY)
        let right = min(left + 1, width - 1)
        let start = top * width
        let below = min(top + 1, height - 1) * width
        let shareX = insideX - Float(left)
        let shareY = insideY - Float(top)
        let upper = Float(pixels[start + left]) * (1 - shareX) + Float(pixels[start + right]) * shareX
        let lower = Float(pixels[below + left]) * (1 - shareX) + Float(pixels[below + right]) * shareX
        return upper * (1 - shareY) + lower * shareY
    }
}

extension [UInt8] {
    /// Each of a range with weights 1, 2, 1 over those `step` before and behind; the rest stays.
    fileprivate func smoothed(step: Int, from first: Int, to end: Int) -> [UInt8] {
        var result = self
        for index in first..<end {
            let sum = Int(self[index - step]) + 2 * Int(self[index]) + Int(self[index + step])
            result[index] = UInt8(truncatingIfNeeded: (sum + 2) / 4)
        }
        return result
    }
}

/// A place or a direction in a picture, in pixels: x to the right, y downwards.
struct Place: Equatable {
    var x: Float
    var y: Float

    var length: Float { (x * x + y * y).squareRoot() }

    func distance(to other: Place) -> Float { (other - self).length }

    /// Positive when `other` is clockwise of this direction, as seen on the screen.
    func cross(_ other: Place) -> Float { x * other.y - y * other.x }

    func dot(_ other: Place) -> Float { x * other.x + y * other.y }

    static func + (left: Place, right: Place) -> Place { Place(x: left.x + right.x, y: left.y + right.y) }
    static func - (left: Place, right: Place) -> Place { Place(x: left.x - right.x, y: left.y - right.y) }
    static func * (left: Place, right: Float) -> Place { Place(x: left.x * right, y: left.y * right) }
}
