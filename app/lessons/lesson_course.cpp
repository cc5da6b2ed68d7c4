// SPDX-License-Identifier: Apache-2.0
#include "app/lessons/lesson_course.h"

#include "app/lessons/sample_training.h"
#include "app/model/translate.h"
#include "app/session/file_kind.h"
#include "engine/lessons/blocks_of.h"
#include "engine/policy/near_name.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <string>
#include <utility>

// Outside any namespace, as Qt's macro requires. Resources of a static library must be initialised explicitly.
static void loadLessonResources() {
  Q_INIT_RESOURCE(lessons);
}

namespace binade::app {

namespace {

constexpr auto kBuiltInFolder = ":/binade/lessons";
constexpr qint64 kMostBytes = 1 << 20;  // the longest built-in lesson has a hundredth of it

std::vector<lessons::Problem> oneProblem(const QString& file, const QString& message, const QString& hint) {
  return {{file.toStdString(), 1, message.toStdString(), hint.toStdString()}};
}

// The reader of lessons does not know the models of the engine.
std::vector<lessons::Problem> unknownSamples(const lessons::Lesson& lesson, const QString& name) {
  std::vector<std::string> known;
  for (const SampleTraining& each : sampleTrainings()) known.push_back(each.name);
  std::string list;
  for (const std::string& each : known) list += (list.empty() ? "" : ", ") + each;
  std::vector<lessons::Problem> problems;
  for (const lessons::Experiment* run : lessons::blocks_of<lessons::Experiment>(lesson)) {
    if (findSampleTraining(run->sample) != nullptr) continue;
    problems.push_back({name.toStdString(), run->line, "There is no sample \"" + run->sample + "\".",
                        policy::did_you_mean(run->sample, known) + "Samples: " + list + "."});
  }
  return problems;
}

}  // namespace

std::vector<lessons::Problem> LessonEntry::problems() const {
  const auto* found = std::get_if<std::vector<lessons::Problem>>(&content);
  return found == nullptr ? std::vector<lessons::Problem>() : *found;
}

QString LessonEntry::title() const {
  return lesson() != nullptr ? QString::fromStdString(lesson()->title) : QFileInfo(file).fileName();
}

LessonEntry readLessonFile(const QString& file) {
  LessonEntry entry;
  entry.built_in = file.startsWith(u':');
  const QFileInfo info(file);
  entry.file = entry.built_in ? file : info.absoluteFilePath();
  entry.key = entry.built_in ? info.completeBaseName() : entry.file;
  const QString name = entry.built_in ? info.fileName() : QDir::toNativeSeparators(file);
  if (!entry.built_in) {
    if (const auto problem = unreadable(file)) {
      entry.content = oneProblem(name, problem->message, problem->hint);
      return entry;
    }
  }
  QFile in(file);
  if (!info.isFile() || !in.open(QIODevice::ReadOnly)) {
    const QString why = info.exists() ? in.errorString() : tr("there is no such file");
    entry.content = oneProblem(name, tr("The lesson cannot be read: %1.").arg(why), tr("Check the name of the file."));
    return entry;
  }
  if (in.size() > kMostBytes) {
    entry.content = oneProblem(name, tr("The file has more than 1 MiB."),
                               tr("A lesson is a short Markdown file; open another one."));
    return entry;
  }
  const QByteArray text = in.readAll();
  entry.content = lessons::read_lesson({text.constData(), static_cast<std::size_t>(text.size())}, name.toStdString());
  if (entry.lesson() == nullptr) return entry;
  if (auto problems = unknownSamples(*entry.lesson(), name); !problems.empty()) entry.content = std::move(problems);
  return entry;
}

void LessonCourse::readBuiltIn() {
  if (!entries_.empty()) return;
  static const bool loaded = (loadLessonResources(), true);
  Q_UNUSED(loaded);
  const QDir folder(QString::fromLatin1(kBuiltInFolder));
  for (const QString& name : folder.entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name)) {
    entries_.push_back(readLessonFile(folder.filePath(name)));
  }
}

const std::vector<LessonEntry>& LessonCourse::entries() {
  readBuiltIn();
  return entries_;
}

std::size_t LessonCourse::builtInCount() {
  std::size_t count = 0;
  for (const LessonEntry& entry : entries()) count += entry.built_in ? 1 : 0;
  return count;
}

std::size_t LessonCourse::doneCount() {
  std::size_t count = 0;
  for (const LessonEntry& entry : entries()) {
    if (entry.built_in && entry.lesson() != nullptr && progress_.isDone(entry.key, *entry.lesson())) ++count;
  }
  return count;
}

std::optional<std::size_t> LessonCourse::indexOf(const QString& key) {
  const auto& all = entries();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].key == key) return i;
  }
  return std::nullopt;
}

std::size_t LessonCourse::open(const QString& file) {
  readBuiltIn();
  LessonEntry read = readLessonFile(file);
  const std::optional<std::size_t> known = indexOf(read.key);
  const std::size_t index = known.value_or(entries_.size());
  if (known) {
    entries_[index] = std::move(read);
  } else {
    entries_.push_back(std::move(read));
  }
  Q_EMIT changed(index);
  return index;
}

std::optional<std::size_t> LessonCourse::find(const QString& wanted) {
  bool is_number = false;
  const qlonglong number = wanted.toLongLong(&is_number);
  if (!is_number) return open(wanted);
  if (number < 1 || static_cast<std::size_t>(number) > builtInCount()) return std::nullopt;
  return static_cast<std::size_t>(number - 1);
}

}  // namespace binade::app
