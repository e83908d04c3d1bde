import Foundation
import Testing

/// Waits until a condition holds that only looking can tell, such as what a file contains.
///
/// - Throws: If it does not hold within 20 seconds.
func waitFor(_ condition: () throws -> Bool) throws {
    let limit = Date(timeIntervalSinceNow: 20)
    while try !condition() {
        try #require(Date() < limit)
        usleep(2000)
    }
}
