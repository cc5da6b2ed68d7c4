// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/figure_data.h"

#include <QImage>
#include <QString>

#include <string>

namespace binade::app {

/// Parts of exported pages. A page loads nothing: its style and pictures are within it.

/// A UTF-8 text, escaped for HTML.
QString htmlText(const std::string& text);
/// A page. `body` is HTML, `title` is text.
QString htmlPage(const QString& title, const QString& body);
/// `content` behind a click on `summary`. Both are HTML.
QString htmlDetails(const QString& summary, const QString& content);
/// A picture within the page. `words`, a text, replace it for readers who do not see it.
QString htmlPicture(const QImage& picture, const QString& words);
/// The rows of a table under its heads; empty if it has no rows.
QString htmlTable(const lessons::Table& table);
/// The source of a figure that quotes numbers; empty for a computed one.
QString htmlSource(const lessons::FigureData& data);

}  // namespace binade::app
