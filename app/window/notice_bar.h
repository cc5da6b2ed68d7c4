// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QToolBar>

namespace binade::app {

class Banner;

/// The tool bar of the banner, which is hidden while the banner is closed.
class NoticeBar : public QToolBar {
  Q_OBJECT

 public:
  /// Takes the banner.
  explicit NoticeBar(Banner* banner, QWidget* parent = nullptr);
};

}  // namespace binade::app
