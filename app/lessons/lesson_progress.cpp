// SPDX-License-Identifier: Apache-2.0
#include "app/lessons/lesson_progress.h"

#include <QSettings>
#include <QStringList>
#include <QUrl>

#include <algorithm>

namespace binade::app {

namespace {

constexpr auto kProgressGroup = "lessons/progress";
constexpr auto kCurrentLessonKey = "lessons/current";

// A lesson's key may be a path, and slashes divide groups of settings.
QString partKey(const QString& lesson, const char* part) {
  return QStringLiteral("%1/%2/%3")
      .arg(QLatin1String(kProgressGroup), QString::fromLatin1(QUrl::toPercentEncoding(lesson)), QLatin1String(part));
}

}  // namespace

lessons::LessonWork LessonProgress::work(const QString& lesson) const {
  lessons::LessonWork work;
  for (const QString& text : settings_->value(partKey(lesson, "predictions")).toStringList()) {
    bool is_number = false;
    const qulonglong option = text.toULongLong(&is_number);
    work.predictions.push_back(is_number ? std::optional(static_cast<std::size_t>(option)) : std::nullopt);
  }
  for (const QString& text : settings_->value(partKey(lesson, "answers")).toStringList()) {
    work.answers.push_back(text.toStdString());
  }
  for (const QString& text : settings_->value(partKey(lesson, "ran")).toStringList()) {
    work.ran.push_back(text == QStringLiteral("1"));
  }
  work.opened = static_cast<std::size_t>(settings_->value(partKey(lesson, "opened")).toULongLong());
  return work;
}

void LessonProgress::setWork(const QString& lesson, const lessons::LessonWork& work) {
  QStringList predictions;
  for (const auto& option : work.predictions) predictions << (option ? QString::number(*option) : QString());
  QStringList answers;
  for (const std::string& answer : work.answers) answers << QString::fromStdString(answer);
  QStringList ran;
  for (const bool each : work.ran) ran << (each ? QStringLiteral("1") : QStringLiteral("0"));
  settings_->setValue(partKey(lesson, "predictions"), predictions);
  settings_->setValue(partKey(lesson, "answers"), answers);
  settings_->setValue(partKey(lesson, "ran"), ran);
  settings_->setValue(partKey(lesson, "opened"), static_cast<qulonglong>(work.opened));
}

void LessonProgress::setRan(const QString& lesson, std::size_t experiment) {
  lessons::LessonWork now = work(lesson);
  now.ran.resize(std::max(now.ran.size(), experiment + 1));
  now.ran[experiment] = true;
  setWork(lesson, now);
}

bool LessonProgress::isAnswered(const QString& lesson, const lessons::Lesson& content, std::size_t exercise) const {
  return lessons::is_answered(content, work(lesson), exercise);
}

bool LessonProgress::isDone(const QString& lesson, const lessons::Lesson& content) const {
  return lessons::is_lesson_done(content, work(lesson));
}

void LessonProgress::resetAll() {
  settings_->remove(QLatin1String(kProgressGroup));
}

QString LessonProgress::current() const {
  return settings_->value(QLatin1String(kCurrentLessonKey)).toString();
}

void LessonProgress::setCurrent(const QString& lesson) {
  settings_->setValue(QLatin1String(kCurrentLessonKey), lesson);
}

}  // namespace binade::app
