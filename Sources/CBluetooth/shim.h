/* Numbers of the Host Controller Interface only; nothing of the library is linked. */
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
