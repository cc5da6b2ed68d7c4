// SPDX-License-Identifier: Apache-2.0
// What most tests read. Precompiled only: nothing includes this.
#include <nlohmann/json.hpp>

#include <QTest>
#include <QtWidgets>
