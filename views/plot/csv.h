// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

namespace binade::views {

/// Returns one CSV line according to RFC 4180: quoted where needed, terminated by CR LF.
QString csvLine(const QStringList& fields);

}  // namespace binade::views
