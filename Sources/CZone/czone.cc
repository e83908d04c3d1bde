#include "czone.h"

#include <cctz/time_zone.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

namespace {

// There are about 600 names. A zone stays loaded for ever, so clients must not load without end.
constexpr int32_t limit = 800;
constexpr size_t longest_name = 64;

// A slot is written before anyone has its handle, so look-ups need no lock. An empty slot is UTC.
cctz::time_zone zones[limit];

const cctz::time_zone &zone_of(int32_t handle) {
    return zones[handle >= 0 && handle < limit ? handle : czone_utc];
}

// "Europe//Berlin" would open the same file as "Europe/Berlin" and be kept a second time.
bool is_name(const std::string &name) {
    return !name.empty() && name.size() <= longest_name && name.front() != '/' &&
           name.back() != '/' && name.find("//") == std::string::npos &&
           name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                  "0123456789+_-/") == std::string::npos;
}

std::string path_of(const std::string &name) {
    if (name == "localtime") return "/etc/localtime";
    const char *directory = std::getenv("TZDIR");
    bool given = directory != nullptr && *directory != '\0';
    return (given ? directory : "/usr/share/zoneinfo") + ("/" + name);
}

// cctz keeps every name it is asked for, also those it cannot load; it must see good ones only.
bool has_zone_data(const std::string &path) {
    FILE *file = std::fopen(path.c_str(), "rbe");
    if (file == nullptr) return false;
    char magic[4];
    bool good = std::fread(magic, sizeof magic, 1, file) == 1 && !std::memcmp(magic, "TZif", 4);
    std::fclose(file);
    return good;
}

int32_t load(const std::string &name) {
    static std::mutex mutex;
    static auto &handles = *new std::map<std::string, int32_t>{{"UTC", czone_utc}};
    std::lock_guard<std::mutex> lock(mutex);
    auto known = handles.find(name);
    if (known != handles.end()) return known->second;
    auto handle = static_cast<int32_t>(handles.size());
    auto path = path_of(name);
    if (handle == limit || !has_zone_data(path)) return -1;
    if (!cctz::load_time_zone(path, &zones[handle])) return -1;
    return handles[name] = handle;
}

cctz::time_zone::absolute_lookup look_up(int32_t zone, int64_t seconds) {
    return zone_of(zone).lookup(cctz::time_point<cctz::seconds>(cctz::seconds(seconds)));
}

int32_t offset_at(int32_t zone, int64_t seconds) { return look_up(zone, seconds).offset; }

// A quarter-hour of UTC whose two ends have one offset: in no zone the clocks move there and back in it.
struct quarter {
    int32_t zone;
    int64_t number;
    int32_t offset;
};

constexpr int64_t quarter_seconds = 900;

}  // namespace

int32_t czone_load(const char *name) try {
    std::string text(name, strnlen(name, longest_name + 1));
    return is_name(text) ? load(text) : -1;
} catch (...) {
    return -1;
}

// Answers print thousands of times in their order, so that most lie in the quarter-hour of the last one.
int32_t czone_offset_at(int32_t zone, int64_t seconds) {
    thread_local quarter last = {-1, 0, 0};
    if (zone == czone_utc) return 0;
    int64_t number = seconds / quarter_seconds - (seconds % quarter_seconds < 0);
    if (last.zone == zone && last.number == number) return last.offset;
    int64_t first = number * quarter_seconds;
    int32_t offset = offset_at(zone, first);
    if (offset != offset_at(zone, first + quarter_seconds - 1)) return offset_at(zone, seconds);
    last = {zone, number, offset};
    return offset;
}

// The database tells which time is daylight saving, not of how much: a year has a time that is none.
int32_t czone_daylight_saving_at(int32_t zone, int64_t seconds) {
    constexpr int64_t step = 10 * 86400;
    auto here = look_up(zone, seconds);
    if (!here.is_dst) return 0;
    for (int64_t distance = step; distance <= 37 * step; distance += step)
        for (int64_t there : {seconds - distance, seconds + distance}) {
            auto standard = look_up(zone, there);
            if (!standard.is_dst) return here.offset - standard.offset;
        }
    return 0;
}

czone_lookup czone_instants_of(int32_t zone, int64_t year, int32_t month, int32_t day,
                               int32_t hour, int32_t minute, int32_t second) {
    auto found = zone_of(zone).lookup(cctz::civil_second(year, month, day, hour, minute, second));
    czone_kind kinds[] = {czone_unique, czone_skipped, czone_repeated};  // in cctz's order
    return {kinds[found.kind], found.pre.time_since_epoch().count(),
            found.post.time_since_epoch().count(), found.trans.time_since_epoch().count()};
}
