// SPDX-License-Identifier: Apache-2.0
#include "app/docks/tensor_picker.h"

#include "app/model/site_name.h"
#include "views/elided_combo.h"

#include <QComboBox>
#include <QHBoxLayout>

#include <algorithm>

namespace binade::app {

namespace {

constexpr int kWidest = 320;                  // of each list
constexpr int kPlaceRole = Qt::UserRole + 1;  // index in choices_; -1 for a separator

struct Entry {
  QString text;  ///< empty: a separator
  int data = -1;
  int place = -1;
  QString about{};
};

QComboBox* makeList(const QString& name) {
  // Elided in the middle: both ends of a name distinguish it.
  auto* list = new views::ElidedComboBox(Qt::ElideMiddle);
  list->setAccessibleName(name);
  // Full width if there is room; shrinks in a narrow dock.
  list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  list->setMinimumContentsLength(11);
  list->setMaximumWidth(kWidest);
  list->setMaxVisibleItems(24);
  return list;
}

bool holds(const QComboBox& list, const std::vector<Entry>& entries) {
  if (list.count() != static_cast<int>(entries.size())) return false;
  for (int i = 0; i < list.count(); ++i) {
    const Entry& entry = entries[static_cast<std::size_t>(i)];
    if (list.itemText(i) != entry.text || list.itemData(i).toInt() != entry.data) return false;
    if (list.itemData(i, kPlaceRole).toInt() != entry.place) return false;
  }
  return true;
}

// Fills a list unless its entries are unchanged, so that an open list stays open.
void fill(QComboBox* list, const std::vector<Entry>& entries) {
  if (holds(*list, entries)) return;
  list->clear();
  for (const Entry& entry : entries) {
    if (entry.text.isEmpty()) {
      list->insertSeparator(list->count());
    } else {
      list->addItem(entry.text);
    }
    list->setItemData(list->count() - 1, entry.data);
    list->setItemData(list->count() - 1, entry.place, kPlaceRole);
    list->setItemData(list->count() - 1, entry.about, Qt::ToolTipRole);
  }
}

}  // namespace

TensorPicker::TensorPicker(const RunModel* run, QWidget* parent)
    : QWidget(parent), run_(run), calls_(makeList(tr("Op call shown"))), tensors_(makeList(tr("Tensor shown"))) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  row->addWidget(calls_);
  row->addWidget(tensors_);
  connect(calls_, &QComboBox::currentIndexChanged, this, [this](int index) {
    if (!filling_ && index >= 0) chooseCall(calls_->itemData(index).toInt());
  });
  connect(tensors_, &QComboBox::currentIndexChanged, this, [this](int index) {
    if (!filling_ && index >= 0) choose(tensors_->itemData(index, kPlaceRole).toInt());
  });
}

bool TensorPicker::isEmpty() const {
  return calls_->count() == 0;
}

void TensorPicker::forget() {
  wanted_.reset();
  shown_ = -1;
  site_ = -1;
}

void TensorPicker::setShown(int tensor) {
  wanted_.reset();
  shown_ = tensor;
  const TensorTrack* track = run_->tensor(tensor);
  if (track == nullptr) {
    filling_ = true;
    calls_->setCurrentIndex(-1);
    tensors_->setCurrentIndex(-1);
    filling_ = false;
    return;
  }
  if (track->tensor.site != site_) {
    site_ = track->tensor.site;
    fillTensors();
  }
  point(placeOf(track->tensor));
}

void TensorPicker::refresh(int shown) {
  shown_ = shown;
  const TensorTrack* track = run_->tensor(shown);
  if (track != nullptr && !wanted_) site_ = track->tensor.site;
  const std::vector<int> sites = sitesWithTensors(*run_);
  if (!sites.empty() && std::find(sites.begin(), sites.end(), site_) == sites.end()) site_ = sites.front();
  std::vector<Entry> entries;
  for (const int site : sites) {
    entries.push_back(
        {site < 0 ? tr("parameters of no op call") : callText(run_->sites()[static_cast<std::size_t>(site)].key), site,
         -1});
  }
  filling_ = true;
  fill(calls_, entries);
  filling_ = false;
  fillTensors();
  if (wanted_) {
    const auto came = std::find_if(choices_.begin(), choices_.end(), [&](const TensorChoice& each) {
      const std::string& argument = wanted_->watched.argument;
      return !each.isMissing() && each.watched.kind == wanted_->watched.kind &&
             (argument.empty() || argument == each.watched.argument);
    });
    const int place = came != choices_.end() ? static_cast<int>(came - choices_.begin()) : placeOf(wanted_->watched);
    if (place >= 0) return choose(place);
    wanted_.reset();
  }
  if (track == nullptr) return chooseAny();
  // An edit gave the tensor a new id: switches to it once it has a histogram.
  const int place = placeOf(track->tensor);
  if (place >= 0) {
    const TensorChoice& choice = choices_[static_cast<std::size_t>(place)];
    if (choice.isMissing() ? track->histograms.empty() : choice.watched.id != shown) return choose(place);
  }
  point(place);
}

void TensorPicker::fillTensors() {
  choices_ = tensorChoices(*run_, site_);
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < choices_.size(); ++i) {
    const wire::WatchedTensor& watched = choices_[i].watched;
    if (i > 0 && wire::is_gradient(watched) != wire::is_gradient(choices_[i - 1].watched)) entries.push_back({});
    entries.push_back({choices_[i].text, watched.id, static_cast<int>(i), choices_[i].about});
  }
  filling_ = true;
  fill(tensors_, entries);
  filling_ = false;
}

void TensorPicker::point(int index) {
  filling_ = true;
  calls_->setCurrentIndex(calls_->findData(site_));
  tensors_->setCurrentIndex(index < 0 ? -1 : tensors_->findData(index, kPlaceRole));
  filling_ = false;
}

int TensorPicker::placeOf(const wire::WatchedTensor& tensor) const {
  const auto found =
      std::find_if(choices_.begin(), choices_.end(), [&](const TensorChoice& each) { return each.names(tensor); });
  return found == choices_.end() ? -1 : static_cast<int>(found - choices_.begin());
}

int TensorPicker::placeOf(int id) const {
  const auto found =
      std::find_if(choices_.begin(), choices_.end(), [&](const TensorChoice& each) { return each.watched.id == id; });
  return id < 0 || found == choices_.end() ? -1 : static_cast<int>(found - choices_.begin());
}

void TensorPicker::choose(int index) {
  if (index < 0) return;
  const TensorChoice choice = choices_[static_cast<std::size_t>(index)];
  point(index);
  if (choice.isMissing()) {
    wanted_ = choice;
    Q_EMIT missing(choice);
  } else {
    wanted_.reset();
    Q_EMIT chosen(choice.watched.id);
  }
}

// Returns the index of the same tensor of another op call: `fc2.weight` for `fc1.weight`.
int TensorPicker::placeOfSame(const wire::WatchedTensor& tensor) const {
  if (!isOfParameter(tensor)) return placeOf(tensor);
  const auto last = [](const std::string& name) { return name.substr(name.rfind('.') + 1); };
  const auto found = std::find_if(choices_.begin(), choices_.end(), [&](const TensorChoice& each) {
    return each.watched.kind == tensor.kind && last(each.watched.argument) == last(tensor.argument);
  });
  return found == choices_.end() ? -1 : static_cast<int>(found - choices_.begin());
}

// Shows the same tensor of another op call if it has one.
void TensorPicker::chooseCall(int site) {
  const TensorTrack* before = run_->tensor(shown_);
  site_ = site;
  fillTensors();
  int place = -1;
  if (wanted_) place = placeOfSame(wanted_->watched);
  if (place < 0 && before != nullptr) {
    place = placeOfSame(before->tensor);
    if (place >= 0 && choices_[static_cast<std::size_t>(place)].isMissing()) place = -1;
  }
  if (place < 0) place = placeOf(chartTensorOf(*run_, site));
  if (place < 0 && !choices_.empty()) place = 0;
  choose(place);
}

// Nothing is shown yet: chooses the earliest gradient, else any tensor.
void TensorPicker::chooseAny() {
  if (const int earliest = earliestGradient(*run_); earliest >= 0) {
    Q_EMIT chosen(earliest);
    return;
  }
  const auto first =
      std::find_if(choices_.begin(), choices_.end(), [](const TensorChoice& each) { return !each.isMissing(); });
  if (first != choices_.end()) return choose(static_cast<int>(first - choices_.begin()));
  if (choices_.empty()) return;
  // Not set as wanted_, so that the first tensor to arrive is shown.
  point(0);
  Q_EMIT missing(choices_.front());
}

}  // namespace binade::app
