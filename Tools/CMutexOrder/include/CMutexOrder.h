#pragma once

// Nothing to call: linking this is all it takes. See CMutexOrder.c.
