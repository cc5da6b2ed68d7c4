// SPDX-License-Identifier: Apache-2.0
// What most tests read. Precompiled only: nothing includes this.
#include <QTest>
#include <QtWidgets>

#include <nlohmann/json.hpp>
