// SPDX-License-Identifier: Apache-2.0
// What most tests that use LibTorch read. Precompiled only: nothing includes this.
#include "torch.h"

#include <QObject>
#include <QTest>
