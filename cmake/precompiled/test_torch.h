// SPDX-License-Identifier: Apache-2.0
// Headers that most tests with LibTorch include. Precompiled only: no file includes this one.
#include "torch.h"

#include <QObject>
#include <QTest>
