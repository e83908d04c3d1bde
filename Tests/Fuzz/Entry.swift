import Glibc

/// The parser that this process fuzzes: the first argument.
private let target = CommandLine.arguments.dropFirst().first.flatMap { FuzzTarget(rawValue: $0) }

/// What a program's arguments are in C.
public typealias CArguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// Takes the name of the parser out of the arguments, which libFuzzer would take for a corpus.
///
/// Without an argument the names are printed.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<CArguments>
) -> CInt {
    guard target != nil else {
        print(FuzzTarget.allCases.map(\.rawValue).joined(separator: "\n"))
        exit(count.pointee > 1 ? EX_USAGE : EXIT_SUCCESS)
    }
    arguments.pointee[1] = arguments.pointee[0]
    arguments.pointee += 1
    count.pointee -= 1
    return 0
}

/// Lets the parser have octets.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target?.take(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
