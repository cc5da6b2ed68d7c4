// SPDX-License-Identifier: Apache-2.0
// What most files of the explorer that know no widget read. Precompiled only: nothing includes this.
#include <nlohmann/json.hpp>

#include <QtGui>
