import Glibc
import Testing

@testable import HealthDaemon

@Suite struct UnixAddressTests {
    @Test(arguments: [
        (0, false), (1, true), (107, true), (108, false), (200, false),
    ])
    func aPathFitsWhereTheKernelHasRoom(length: Int, fits: Bool) {
        #expect((UnixAddress(String(repeating: "p", count: length)) != nil) == fits)
    }

    @Test func aPathEndsInAZeroAndAnAbstractNameBeginsWithOne() throws {
        var path = try #require(UnixAddress("/run/x"))
        var abstract = try #require(UnixAddress("@name"))
        #expect(path.withPointer { _, length in length } == 2 + 6 + 1)
        #expect(abstract.withPointer { _, length in length } == 2 + 5)
        #expect(abstract.withPointer { pointer, _ in pointer.pointee.sa_data.0 } == 0)
    }
}
