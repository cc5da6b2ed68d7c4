// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

namespace binade::test {

/// One row of the tree's table: what a folder is made of, and what it may use.
struct Layer {
  QString folder = {};    ///< `engine/graph`
  QStringList uses = {};  ///< folders it may include; what those may include is allowed as well
  bool torch = false;     ///< may see LibTorch
  bool qt = false;        ///< may see Qt
  bool program = false;   ///< holds a program's main beside its library
};

/// The rows of docs/architecture.md, lowest first.
const QList<Layer>& layers();

/// The row that `path` (from the root) belongs to; null for files outside every layer, such as tests.
const Layer* layerOf(const QString& path);

/// Whether files of `layer` may include files of `other`.
bool mayUse(const Layer& layer, const Layer& other);

}  // namespace binade::test
