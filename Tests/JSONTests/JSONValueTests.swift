import JSON
import Testing

@Suite struct JSONValueTests {
    private let object = JSONValue.object([
        ("text", .string("x")), ("whole", .number("12")), ("broken", .number("12.50")),
        ("yes", .bool(true)), ("list", .array([.null])),
    ])

    @Test func membersAreFoundByKey() {
        #expect(object["text"]?.string == "x")
        #expect(object["whole"]?.integer == 12)
        #expect(object["broken"]?.digits == "12.50")
        #expect(object["yes"]?.bool == true)
        #expect(object["list"]?.array == [.null])
        #expect(object.members?.map(\.key) == ["text", "whole", "broken", "yes", "list"])
    }

    @Test func whatIsOfAnotherKindIsNil() {
        #expect(object["missing"] == nil)
        #expect(object["broken"]?.integer == nil)
        #expect(object["text"]?.digits == nil)
        #expect(object["whole"]?.string == nil)
        #expect(object["whole"]?["text"] == nil)
        #expect(object["list"]?.bool == nil)
        #expect(object.array == nil)
        #expect(object["list"]?.members == nil)
    }

    @Test func objectsAreEqualOnlyInTheSameOrder() {
        let one = JSONValue.object([("a", .null), ("b", .null)])
        let other = JSONValue.object([("b", .null), ("a", .null)])
        #expect(one == one)
        #expect(one != other)
        #expect(JSONValue.null != .bool(false))
    }
}
