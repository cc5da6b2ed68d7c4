// SPDX-License-Identifier: Apache-2.0
// What most files of the window read. Precompiled only: nothing includes this.
#include <QtWidgets>

#include <nlohmann/json.hpp>
