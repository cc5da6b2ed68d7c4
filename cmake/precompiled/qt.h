// SPDX-License-Identifier: Apache-2.0
// What most files of the window read. Precompiled only: nothing includes this.
#include <nlohmann/json.hpp>

#include <QtWidgets>
