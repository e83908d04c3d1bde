#ifndef CZONE_H
#define CZONE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The handle of UTC, which needs no time zone data.
enum { czone_utc = 0 };

/// How many instants of a zone show some civil time.
enum czone_kind { czone_unique, czone_skipped, czone_repeated };

/// The instants, in seconds since 1970, that belong to a civil time.
struct czone_lookup {
    enum czone_kind kind;
    /// The civil time read with the offset before the transition, and with the one after it.
    int64_t before, after;
    /// The transition itself; the same as the others for a unique civil time.
    int64_t transition;
};

/// The handle of an IANA zone, or of the host's own for "localtime"; -1 if there is no such zone.
///
/// Any octets may come in: only the names of files with time zone data reach the library below.
int32_t czone_load(const char *name);

/// Seconds east of UTC of a loaded zone at `seconds` since 1970.
int32_t czone_offset_at(int32_t zone, int64_t seconds);

/// How many of these seconds are daylight saving time, compared with the nearest time that is none.
int32_t czone_daylight_saving_at(int32_t zone, int64_t seconds);

/// The instants at which the clocks of a loaded zone show the given civil time.
struct czone_lookup czone_instants_of(int32_t zone, int64_t year, int32_t month, int32_t day,
                                      int32_t hour, int32_t minute, int32_t second);

#ifdef __cplusplus
}
#endif

#endif
