// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

namespace binade::test {

/// One row of the table of layers: a folder and what it may use.
struct Layer {
  QString folder = {};    ///< `engine/graph`
  QStringList uses = {};  ///< folders it may include, directly and through their own rows
  bool torch = false;     ///< may use LibTorch
  bool qt = false;        ///< may use Qt Core and Gui
  bool widgets = false;   ///< may also use Qt's widgets
  bool program = false;   ///< has a program's main, in addition to its library if it has one
};

/// Returns the rows of docs/architecture.md, lowest first.
const QList<Layer>& layers();

/// Returns the innermost row of `path` (relative to the root), or null for files outside every layer, such as tests.
const Layer* layerOf(const QString& path);

/// Returns the name of the folder's library without `binade_`: its path without `engine/`, with `_` for `/`.
QString libraryOf(const Layer& layer);

/// Returns whether files of `layer` may include files of `other`.
bool mayUse(const Layer& layer, const Layer& other);

/// Returns whether the explorer's program uses the layer, so that -DBINADE_ENGINE=OFF builds it.
bool isOfExplorer(const Layer& layer);

}  // namespace binade::test
