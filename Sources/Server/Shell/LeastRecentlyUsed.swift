/// A dictionary of bounded size that forgets the entry inserted longest ago.
///
/// To change an entry, take it out and put it back, which makes it the youngest. All operations take constant time: the
/// order is a doubly linked list threaded through an array.
struct LeastRecentlyUsed<Key: Hashable, Value> {
    private struct Entry {
        var key: Key
        var value: Value
        var older: Int?
        var younger: Int?
    }

    private let capacity: Int
    private var places: [Key: Int] = [:]
    private var entries: [Entry?] = []
    private var free: [Int] = []
    private var oldest: Int?
    private var youngest: Int?

    /// - Parameter capacity: at least 1.
    init(capacity: Int) { self.capacity = max(1, capacity) }

    var count: Int { places.count }

    /// An entry, which becomes the youngest.
    mutating func use(_ key: Key) -> Value? {
        guard let value = removeValue(for: key) else { return nil }
        insert(value, for: key)
        return value
    }

    mutating func removeValue(for key: Key) -> Value? {
        guard let place = places.removeValue(forKey: key), let entry = entries[place] else { return nil }
        if let older = entry.older { entries[older]?.younger = entry.younger } else { oldest = entry.younger }
        if let younger = entry.younger { entries[younger]?.older = entry.older } else { youngest = entry.older }
        entries[place] = nil
        free.append(place)
        return entry.value
    }

    mutating func insert(_ value: Value, for key: Key) {
        _ = removeValue(for: key)
        if places.count >= capacity, let oldest, let key = entries[oldest]?.key { _ = removeValue(for: key) }
        let entry = Entry(key: key, value: value, older: youngest, younger: nil)
        let place: Int
        if let reused = free.popLast() {
            place = reused
            entries[place] = entry
        } else {
            place = entries.count
            entries.append(entry)
        }
        if let youngest { entries[youngest]?.younger = place } else { oldest = place }
        youngest = place
        places[key] = place
    }
}
