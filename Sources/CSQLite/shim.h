#include <sqlite3.h>

/* The destructor that makes SQLite copy what it is given; a cast that Swift does not import. */
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }
