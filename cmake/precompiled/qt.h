// SPDX-License-Identifier: Apache-2.0
// Headers that most files of the window include. Precompiled only: no file includes this one.
#include <nlohmann/json.hpp>

#include <QtWidgets>
