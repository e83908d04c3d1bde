import DaemonHarness
import FakeBlueZ
import Foundation

// Measures the built daemon with sensors of a fake bluetoothd; see docs/BENCHMARKS.md.
//
// Nothing here sleeps for something to have happened: sleeps are the pace of a load, or the span that
// is looked at.

/// 2,000 notifications a second from one sensor.
func flood(seconds count: Int) throws {
    let bench = try Bench([.oximeter()], armed: "2a5f")
    let address = FakeSensor.oximeter().address
    let before = try bench.processorSeconds
    let wall = try seconds {
        let start = ContinuousClock.now
        for tick in 0..<count * 100 {
            for number in 0..<20 {
                bench.fake.send(continuous(tick * 20 + number), of: "2a5f", from: address)
            }
            Thread.sleep(until: start, plus: tick + 1)
        }
        try waitUntil { try bench.readings() >= count * 2000 }
    }
    let share = (try bench.processorSeconds - before) / wall
    let lost = count * 2000 - (try bench.stored("spo2"))
    row(
        "2,000 notifications/s, \(count) s: lost", "\(lost)", "none",
        "\(text(Double(count) * 2000 / wall, 0)) a second stored", lost == 0)
    row("the same: share of one core", "\(text(share * 100, 0)) %", "50 %", "", share < 0.5)
}

extension Thread {
    /// Sleeps until so many hundredths of a second after a moment.
    fileprivate static func sleep(until start: ContinuousClock.Instant, plus hundredths: Int) {
        let left = ContinuousClock.now.duration(to: start + .milliseconds(10 * hundredths))
        let time = Double(left.components.attoseconds) / 1e18 + Double(left.components.seconds)
        if time > 0 { sleep(forTimeInterval: time) }
    }
}

/// 64 sensors that each send once a second.
func many(seconds count: Int) throws {
    let sensors = (10..<74).map { FakeSensor.oximeter("C0:FF:EE:00:00:\($0)") }
    let bench = try Bench(sensors, armed: "2a5f")
    for second in 0..<count {
        for sensor in sensors {
            bench.fake.send(continuous(second), of: "2a5f", from: sensor.address)
        }
        Thread.sleep(forTimeInterval: 1)
    }
    try waitUntil { try bench.readings() >= count * 64 }
    let memory = Double(try bench.daemon.residentMemory) / 1024
    row("64 sensors at 1 Hz: memory", "\(text(memory, 1)) MB", "20 MB", "", memory < 20)
}

/// A paired sensor that is away.
func idle(seconds count: Int) throws {
    let bench = try Bench([.thermometer()])
    // What the start began is over when nothing has run for longer than a commit waits. A daemon that
    // never rests is measured as it is.
    var last = -1
    for _ in 0..<10 where try bench.wakeUps != last {
        last = try bench.wakeUps
        Thread.sleep(forTimeInterval: 12)
    }
    let before = try bench.wakeUps
    Thread.sleep(forTimeInterval: Double(count))
    let wakeUps = try bench.wakeUps - before
    row(
        "a paired sensor that is away: wake-ups in \(count) s", "\(wakeUps)", "0", "",
        wakeUps == 0)
}

/// From the octets on D-Bus to a line of `healthctl watch`.
func latency(_ count: Int) throws {
    let bench = try Bench([.oximeter()], armed: "2a5f")
    let address = FakeSensor.oximeter().address
    let watch = try Watch("spo2", of: bench.daemon)
    let times = try (0..<count).map { number in
        Thread.sleep(forTimeInterval: 0.01)
        return try seconds {
            bench.fake.send(continuous(number), of: "2a5f", from: address)
            try watch.line()
        }
    }
    watch.end()
    let slow = quantile(times, 0.99) * 1000
    row(
        "octets on D-Bus to a line of `healthctl watch`, p99 of \(count)",
        "\(text(slow, 1)) ms", "5 ms",
        "median \(text(quantile(times, 0.5) * 1000, 1)) ms", slow < 5)
}

/// From the end of bluetoothd to a sensor that is armed again.
func restart(_ count: Int) throws {
    let bench = try Bench([.oximeter()], armed: "2a5f")
    let address = FakeSensor.oximeter().address
    let times = try (0..<count).map { _ in
        bench.fake.kill()
        return try seconds {
            try bench.fake.start()
            try bench.fake.waitUntilArmed("2a5f", of: address)
        }
    }
    let median = quantile(times, 0.5) * 1000
    row(
        "bluetoothd started to armed again, median of \(count)", "\(text(median, 0)) ms",
        "1000 ms", "slowest \(text(quantile(times, 1) * 1000, 0)) ms", median < 1000)
}

/// A thermometer that is awake for moments.
func wake(_ count: Int) throws {
    var sensor = FakeSensor.thermometer()
    sensor.push = .afterEncryption
    sensor.hangsUpWhenEmpty = true
    let bench = try Bench([sensor])
    try bench.fake.waitUntilStanding("2a1c", of: sensor.address)
    let client = try bench.daemon.connect()
    try client.send("follow temp since=now heartbeat=3600\n")
    while try client.line()?.hasPrefix("#") == false {}
    let times = try (0..<count).map { number in
        bench.fake.change(sensor.address) {
            $0.queue = [("2a1c", [0x00, UInt8(number), 0x01, 0x00, 0xFF])]
        }
        let time = try seconds {
            bench.fake.wake(sensor.address)
            while try client.line()?.hasPrefix("{") == false {}
        }
        try bench.fake.waitUntilConnected(sensor.address, false)
        return time
    }
    let kept = try bench.stored("temp")
    row(
        "sensor awake for moments: readings kept", "\(kept) of \(count)", "all",
        "awake to a follower's line, median \(text(quantile(times, 0.5) * 1000, 0)) ms",
        kept == count)
}

try flood(seconds: 10)
try many(seconds: 10)
try idle(seconds: 20)
try latency(1000)
try restart(20)
try wake(100)
