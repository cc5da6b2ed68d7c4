// SPDX-License-Identifier: Apache-2.0
// Headers that most tests include. Precompiled only: no file includes this one.
#include <nlohmann/json.hpp>

#include <QTest>
#include <QtWidgets>
