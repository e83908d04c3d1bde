#include <sqlite3.h>

/* The destructor that makes SQLite copy what it is given; a cast that Swift does not import. */
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }

/* Syncs the journal, which is the write-ahead log where there is one, through SQLite's own descriptor:
   closing another one of the same file would drop SQLite's locks. */
static inline int csqlite_sync_journal(sqlite3 *database) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
    if (code != SQLITE_OK || file == 0 || file->pMethods == 0) return code;
    return file->pMethods->xSync(file, SQLITE_SYNC_NORMAL);
}
