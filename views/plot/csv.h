// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

namespace binade::views {

/// One line of CSV as RFC 4180 has it: quoted where needed, ended by CR LF.
QString csvLine(const QStringList& fields);
/// A number in the C locale that reads back to the same value; `nan`, `inf`, `-inf`.
QString csvNumber(double value);

}  // namespace binade::views
