// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/lesson.h"

#include <QImage>
#include <QString>

#include <functional>

namespace binade::app {

/// Draws a figure of a lesson.
using DrawFigure = std::function<QImage(const lessons::Figure&)>;

/// A lesson as one HTML page that needs no other file: pictures of the figures with their numbers as text, and the
/// answers of questions behind a click. Needs a QGuiApplication.
QString lessonHtml(const lessons::Lesson& lesson, const DrawFigure& draw);

}  // namespace binade::app
