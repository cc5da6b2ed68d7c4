// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/present/event_story.h"

#include <QString>

namespace binade::app {

/// The heading above the list of attempts: whether any of them would have helped.
QString triedTitle(const EventStory& story);

/// Doublings left under a change that was tried: `≥ 1.0`, `−0.4`, `–` if unknown.
QString doublingsText(const EventStory::Tried& tried);

}  // namespace binade::app
