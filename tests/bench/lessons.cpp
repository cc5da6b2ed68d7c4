// SPDX-License-Identifier: Apache-2.0
//
// bench_lessons: from a lesson's text to its first figure on the screen, and one frame while a figure's slider moves.
#include "engine/lessons/compute_figure.h"
#include "engine/lessons/read_lesson.h"
#include "tests/bench/ratio.h"
#include "views/lessons/figure_slider.h"
#include "views/lessons/figure_view.h"
#include "views/lessons/lesson_page.h"
#include "views/theme.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QSlider>
#include <QTextStream>

#include <algorithm>
#include <cmath>
#include <variant>

namespace binade::bench {

namespace {

constexpr int kOpenings = 7;
constexpr int kFrames = 40;
constexpr QSize kFigureSize{940, 780};
constexpr QSize kPageSize{445, 860};

double milliseconds(const QElapsedTimer& timer) {
  return 1e-6 * static_cast<double>(timer.nsecsElapsed());
}

QString text_of(const QString& file) {
  QFile in(file);
  return in.open(QIODevice::ReadOnly) ? QString::fromUtf8(in.readAll()) : QString();
}

/// Opens a lesson as the window does: text, page, figure, painted.
double opening(const std::string& text, const std::string& file) {
  QElapsedTimer timer;
  timer.start();
  const auto read = lessons::read_lesson(text, file);
  const auto* lesson = std::get_if<lessons::Lesson>(&read);
  if (lesson == nullptr) return std::nan("");
  views::LessonPage page;
  views::FigureView view;
  page.resize(kPageSize);
  view.resize(kFigureSize);
  QObject::connect(&page, &views::LessonPage::figureShown, &view,
                   [&view](const lessons::Figure& figure) { view.setFigure(figure); });
  page.setLesson(*lesson, {.index = 0, .done = {false}});
  page.grab();
  view.grab();
  return milliseconds(timer);
}

std::vector<const lessons::Figure*> figures_of(const lessons::Lesson& lesson) {
  std::vector<const lessons::Figure*> all;
  for (const lessons::Section& section : lesson.sections) {
    for (const lessons::Block& block : section.blocks) {
      if (const auto* figure = std::get_if<lessons::Figure>(&block)) all.push_back(figure);
    }
  }
  return all;
}

/// The times of frames: the figure computed for another position of its slider, and painted.
std::vector<double> frames(const lessons::Figure& figure) {
  views::FigureView view;
  view.resize(kFigureSize);
  view.setFigure(figure);
  view.grab();
  std::vector<double> times;
  QSlider* slider = view.slider()->slider();
  const int middle = slider->minimum() + (slider->maximum() - slider->minimum()) / 2;
  for (int i = 0; i < kFrames; ++i) {
    QElapsedTimer timer;
    timer.start();
    slider->setValue(middle + i % 2);
    view.grab();
    times.push_back(milliseconds(timer));
  }
  return times;
}

}  // namespace

int main_of(const QString& folder) {
  views::applyTheme(*qApp, views::Theme::kLight);
  std::vector<double> openings;
  double slowest = 0;
  QString slowest_lesson;
  std::vector<double> slowest_frames{0};
  QString slowest_figure;
  for (const QFileInfo& file : QDir(folder).entryInfoList({QStringLiteral("*.md")})) {
    const std::string text = text_of(file.filePath()).toStdString();
    std::vector<double> times;
    for (int i = 0; i < kOpenings; ++i) times.push_back(opening(text, file.fileName().toStdString()));
    const double median = median_interval(times).median;
    openings.insert(openings.end(), times.begin(), times.end());
    if (median > slowest) {
      slowest = median;
      slowest_lesson = file.completeBaseName();
    }
    const auto read = lessons::read_lesson(text, file.fileName().toStdString());
    const auto* lesson = std::get_if<lessons::Lesson>(&read);
    if (lesson == nullptr) continue;
    for (const lessons::Figure* figure : figures_of(*lesson)) {
      if (!lessons::compute(*figure->kind, figure->parameters).slider) continue;
      std::vector<double> these = frames(*figure);
      if (median_interval(these).median <= median_interval(slowest_frames).median) continue;
      slowest_frames = std::move(these);
      slowest_figure = file.completeBaseName() + QStringLiteral(", ") + QString::fromStdString(figure->name);
    }
  }
  print_figure("app.lessons", "opening, all lessons", median_interval(openings), "ms", 1000);
  print_figure("app.lessons", "opening, the slowest: " + slowest_lesson.toStdString(), exactly(slowest), "ms", 1000);
  print_figure("app.lessons", "a frame while dragging, the slowest figure: " + slowest_figure.toStdString(),
               median_interval(slowest_frames), "ms", 1000.0 / 60);
  return 0;
}

}  // namespace binade::bench

int main(int argc, char** argv) {
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication application(argc, argv);
  if (argc != 2) {
    QTextStream(stderr) << "bench_lessons FOLDER: times the lessons in a folder\n";
    return 2;
  }
  return binade::bench::main_of(QString::fromLocal8Bit(argv[1]));
}
