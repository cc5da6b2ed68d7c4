// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/graph/graph_layout.h"

#include <QByteArray>

#include <optional>

namespace binade::views {

/// Returns a graph as Graphviz's `dot` reads it. Names are numbers, so no text of a model gets into it.
QByteArray dotText(const LayoutInput& input);

/// Reads what `dot -Tplain` printed for dotText() of the same input. Returns nullopt for anything else: a box that is
/// missing, a number that is none, no end.
std::optional<LayoutPlaces> readPlain(const QByteArray& text, const LayoutInput& input);

}  // namespace binade::views
